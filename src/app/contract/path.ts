// Paths with the types of their requests and replies.

/** A path, with the types of its methods, which only the compiler knows. */
export type Path<Methods> = string & { readonly methods: Methods }

/** The methods, with a POST of a file as one of its own. */
export type MethodName = 'get' | 'post' | 'delete' | 'upload'

/** A path with a method that has this reply. */
export type PathReplying<Name extends MethodName, Reply> = Path<{
  readonly [Method in Name]: { readonly reply: Reply }
}>

/** A GET whose reply is JSON. */
export interface Get<Reply> {
  readonly get: { readonly reply: Reply }
}

/** A POST of JSON; its reply is null for one without a body (204). */
export interface Post<Body = Empty, Reply = Empty> {
  readonly post: { readonly body: Body; readonly reply: Reply }
}

/** A DELETE, as a POST. */
export interface Delete<Body = undefined, Reply = null> {
  readonly delete: { readonly body: Body; readonly reply: Reply }
}

/** A POST of a file. */
export interface Upload<Reply> {
  readonly upload: { readonly reply: Reply }
}

/** Declares the path of an endpoint with the types of its methods. */
export function path<Methods>(text: string): Path<Methods>
export function path(text: string): string {
  return text
}

/** Fields of these names, all texts; of any, where the handler alone knows them. */
export type TextFields<Name extends string = string> = Readonly<Record<Name, string>>

/** An object without members. */
export interface Empty {
  readonly none?: never
}
