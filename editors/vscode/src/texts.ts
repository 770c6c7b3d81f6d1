// Texts that the server shows (reports, diffs, articles), kept for documents that can only be read. The oldest go.

export class Texts {
  private readonly byPath = new Map<string, string>();
  private count = 0;

  constructor(private readonly most = 20) {}

  /** The path of a new document. */
  add(title: string, language: string, text: string): string {
    const name = title.replace(/[^\w. -]/g, "_");
    this.count += 1;
    const path = `/${String(this.count)}/${name}.${language === "diff" ? "diff" : "txt"}`;
    this.byPath.set(path, text);
    for (const oldest of this.byPath.keys()) {
      if (this.byPath.size <= this.most) {
        break;
      }
      this.byPath.delete(oldest);
    }
    return path;
  }

  get(path: string): string | undefined {
    return this.byPath.get(path);
  }
}
