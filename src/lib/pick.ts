// Pick: an object with the named members of another.

export function pick<All extends object, Name extends keyof All>(from: All, names: readonly Name[]): Pick<All, Name> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<All, Name>
}
