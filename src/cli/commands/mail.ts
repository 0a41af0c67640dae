// `dagsverk mail`: sends a test mail and lists the mail queue.
import { Option, type Command } from '@commander-js/extra-typings'
import { readCommandConfig, withSettings } from '../../server/config-options.ts'
import { addPrintAction } from '../support/store-action.ts'
import { formatTimestamp } from '../support/print.ts'
import { requireEmail } from '../support/user-arguments.ts'
import type { Runtime } from '../../server/environment.ts'
import { configurationError, exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { createMailSender, MailSendError } from '../../notifications/mail/sender.ts'
import { mailMessage } from '../../notifications/mail/texts.ts'
import type { SettingName } from '../../config/settings.ts'
import { listMail } from '../../store/notifications/mail.ts'

export function addMailCommands(program: Command, runtime: Runtime): void {
  const mail = program
    .command('mail')
    .description('test mail delivery and list queued mail')
    .addHelpText('afterAll', examples)
  addTest(mail, runtime)
  addList(mail, runtime)
}

function addTest(mail: Command, runtime: Runtime): void {
  const command = mail
    .command('test <address>')
    .description('send a test mail and print the reply of the mail server')
    .addOption(new Option('--language <language>', 'language of the mail').choices(['en', 'nb']))
    .action(async (address, flags, called) => {
      const { smtpUrl, mailFrom } = readCommandConfig(called, runtime)
      requireEmail(address)
      if (smtpUrl === '')
        throw configurationError(
          'Mail is not configured: set DAGSVERK_SMTP_URL (or DAGSVERK_SMTP_URL_FILE) and DAGSVERK_MAIL_FROM.',
        )
      const message = mailMessage('test', address, flags.language ?? 'en', {})
      try {
        await createMailSender(smtpUrl, mailFrom).send(message, `test.${runtime.clock()}`)
      } catch (error) {
        if (!(error instanceof MailSendError)) throw error
        throw new OperatorError(
          `The mail server rejected the message (${error.problem}): ${error.message}`,
          exitCodes.unavailable,
        )
      }
      runtime.printMessage(`The mail server accepted a message to ${address}.\n`)
    })
  withSettings(command, sendingSettings)
}

const sendingSettings: readonly SettingName[] = ['dataDir', 'smtpUrl', 'mailFrom']

function addList(mail: Command, runtime: Runtime): void {
  const command = mail.command('list').description('list the latest mails with their status and error')
  addPrintAction(command, runtime, async ({ store }) => {
    const mails = await listMail(store)
    return mails.map(({ id, kind, createdAt, nextAttemptAt, sentAt, attempts, lastError }) => ({
      id,
      kind,
      written: formatTimestamp(createdAt),
      sent: formatTimestamp(sentAt),
      next: formatTimestamp(nextAttemptAt),
      attempts,
      problem: lastError,
    }))
  })
}

const examples = `
Examples:
  dagsverk mail test kari@fjord.example
  dagsverk mail list
  DAGSVERK_SMTP_URL_FILE=/etc/dagsverk/smtp-url DAGSVERK_MAIL_FROM=dagsverk@fjord.example \\
    dagsverk mail test kari@fjord.example --language nb
`
