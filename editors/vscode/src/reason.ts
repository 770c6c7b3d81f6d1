// A NOLINT comment that the server offers ends where its reason is to be: the editor asks for that first.

const OPEN = /\bNOLINT\([\w-]+\): $/;

export function wantsReason(text: string): boolean {
  return OPEN.test(text);
}

/** The comment with its reason, on one line; undefined: nobody gave one. */
export function withReason(text: string, reason: string | undefined): string | undefined {
  const line = reason?.replace(/[\r\n\\]+/g, " ").trim();
  return line ? text + line : undefined;
}
