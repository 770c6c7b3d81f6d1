// The settings of the editor as unphi server takes them: those that somebody gave, and not where the program is.

/** What vscode.workspace.getConfiguration has, as far as it is used. */
export interface Configuration {
  get(key: string): unknown;
}

export const KEYS = [
  "target", "build", "flags", "compiler", "compilerLauncher", "checks", "threshold", "headerFilter", "baseline", "prefer",
  "debounce",
] as const;

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

export function settingsOf(configuration: Configuration): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const key of KEYS) {
    const value = configuration.get(key);
    if (isGiven(value)) {
      given[key] = value;
    }
  }
  return given;
}

export function programOf(configuration: Configuration): string {
  const path = configuration.get("path");
  return typeof path === "string" && path !== "" ? path : "unphi";
}
