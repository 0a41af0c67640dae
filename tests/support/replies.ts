// Expected replies: a status, and an error with its code; the text of any other reply is the message.
import { expect } from 'vitest'
import type { TestReply } from './server.ts'

/** The reply, once it is known to have this status. */
export async function expectStatus<Reply extends Pick<TestReply, 'status' | 'text'>>(
  pending: Reply | Promise<Reply>,
  status = 200,
): Promise<Reply> {
  const reply = await pending
  expect(reply.status, reply.text).toBe(status)
  return reply
}

/** The reply, once it is known to be a success. */
export async function expectSuccess(pending: Promise<TestReply>): Promise<TestReply> {
  const reply = await pending
  expect(reply.status, reply.text).toBeLessThan(300)
  return reply
}

/** `members` are further members of the error, such as `target`. */
export function expectError(
  reply: Pick<TestReply, 'status' | 'text' | 'json'>,
  status: number,
  code: string,
  members: object = {},
): void {
  expect(reply.status, reply.text).toBe(status)
  expect(reply.json.error).toMatchObject({ code, ...members })
}
