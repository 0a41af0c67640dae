// Pick: an object with the named members of another.

export function pick<All extends object, Name extends keyof All>(from: All, names: readonly Name[]): Pick<All, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<All, Name>
}

/** An object with a value for each of its names, in their order. */
export function mapNames<T>(names: readonly (keyof T)[], valueOf: <Name extends keyof T>(name: Name) => T[Name]): T {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as T
}
