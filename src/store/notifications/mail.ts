// Mail queue: e-mails that are waiting, sent or abandoned.
import { insertInto, updateWhere } from '../row-statements.ts'
import { command, rowsQuery, type NoValues } from '../queries.ts'
import { sql } from 'kysely'
import { createJobQueue } from '../job-queue.ts'
import type { MailTable } from '../tables/operations.ts'

/** Queues an e-mail. */
export const insertMail = command(
  insertInto('mail', 'kind', 'content', 'expiresAt', 'createdAt', 'nextAttemptAt', 'attempts'),
)

/** An e-mail to send now. */
export type DueMail = Pick<MailTable, 'id' | 'kind' | 'content' | 'createdAt' | 'expiresAt' | 'attempts'>

export const mailQueue = createJobQueue<DueMail>('mail', {
  returns: ['id', 'kind', 'content', 'createdAt', 'expiresAt', 'attempts'],
})

/** Records that the mail server accepted an e-mail, and deletes its content. */
export const recordSent = command(
  updateWhere('mail', ['id'], ['sentAt'], sql`"nextAttemptAt" = null, "lastError" = null, content = ''`),
)

/** Records a failed attempt; the next one is at `nextAttemptAt`, or never where it is null. */
export const recordSendFailure = command(updateWhere('mail', ['id'], ['nextAttemptAt', 'lastError', 'content']))

/** The latest 200, the newest first. */
export const listMail = rowsQuery<NoValues, Omit<MailTable, 'content'>>(
  () => sql`
    select id, kind, "createdAt", "nextAttemptAt", "expiresAt", attempts, "sentAt", "lastError"
    from mail order by id desc limit 200`,
)
