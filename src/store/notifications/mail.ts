// Mail queue: e-mails that are waiting, sent or abandoned.
import { updateWhere } from '../row-statements.ts'
import { command, rowsQuery, type NoValues } from '../queries.ts'
import { createJobQueue } from '../job-queue.ts'
import type { MailTable } from '../tables/operations.ts'

export type NewMail = Pick<MailTable, 'kind' | 'content' | 'expiresAt'>

/** Queues an e-mail; `now` in microseconds. */
export const insertMail = command<NewMail & { now: number }>(({ db, value, values }) =>
  db
    .insertInto('mail')
    .values((eb) => ({
      ...values('kind', 'content', 'expiresAt'),
      createdAt: value('now'),
      nextAttemptAt: value('now'),
      attempts: eb.lit(0),
    })),
)

/** An e-mail to send now. */
export type DueMail = Pick<MailTable, 'id' | 'kind' | 'content' | 'createdAt' | 'expiresAt' | 'attempts'>

/** The queue of e-mails. */
export const mailQueue = createJobQueue<DueMail>('mail', {
  returns: ['id', 'kind', 'content', 'createdAt', 'expiresAt', 'attempts'],
})

/** Records that the mail server accepted an e-mail, and deletes its content. */
export const recordSent = command<{ id: number; sentAt: number }>(({ db, value }) =>
  db
    .updateTable('mail')
    .set({ sentAt: value('sentAt'), nextAttemptAt: null, lastError: null, content: '' })
    .where('id', '=', value('id')),
)

/** Records a failed attempt; the next one is at `nextAttemptAt`, or never where it is null. */
export const recordSendFailure = command(updateWhere('mail', ['id'], ['nextAttemptAt', 'lastError', 'content']))

/** The latest 200, the newest first. */
export const listMail = rowsQuery<NoValues, Omit<MailTable, 'content'>>(({ db }) =>
  db
    .selectFrom('mail')
    .select(['id', 'kind', 'createdAt', 'nextAttemptAt', 'expiresAt', 'attempts', 'sentAt', 'lastError'])
    .orderBy('id', 'desc')
    .limit(200),
)
