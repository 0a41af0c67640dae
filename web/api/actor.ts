// Actors: a user as the server names it, `Kari Berg <kari@fjord.example>`, or by e-mail alone.

/** The name to show, and the e-mail that it stands for. */
export function parseActor(actor: string): { readonly name: string; readonly email: string | undefined } {
  const { name = actor, email } = /^(?<name>.+) <(?<email>[^<>]+)>$/.exec(actor)?.groups ?? {}
  return { name, email }
}
