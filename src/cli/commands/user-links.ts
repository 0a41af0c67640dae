// `dagsverk user invite` and `user reset-password`: links by mail, or to pass on.
import { Option, type Command } from '@commander-js/extra-typings'
import { createPasswordLink } from '../../auth/passwords/password-reset.ts'
import { roles } from '../../auth/roles.ts'
import { Encryptor } from '../../auth/tokens/encryptor.ts'
import { mailSettings } from '../../server/config-options.ts'
import { addStoreAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { resolveCompany } from '../support/resolve-company.ts'
import { printOne } from '../support/print.ts'
import { parseDepartments, parseRole, requireEmail } from '../support/user-arguments.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { passwordResetUrl } from '../../notifications/mail/password-reset-mailer.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { MailQueue } from '../../notifications/mail/mail-queue.ts'
import { operatorName } from '../../notifications/mail/texts.ts'
import type { Config } from '../../config/settings.ts'
import { findUser } from '../../store/accounts/users.ts'

export function addInviteCommand(user: Command, runtime: Runtime): void {
  const command = user
    .command('invite <email>')
    .description('invite a person, who chooses name and password; single-use link, valid for 7 days')
    .option('--company <name>', 'the company; required when there are several')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--departments <list>', 'departments of an approver (default: all)')
    .addOption(new Option('--language <language>', 'language of the mail').choices(['en', 'nb']))
    .option('--json', 'print JSON')
  addStoreAction(
    command,
    runtime,
    async ({ store, flags, cryptoContext, config }, email) => {
      requireEmail(email)
      const membership = { role: parseRole(flags.role), departments: parseDepartments(flags.departments) }
      const company = await resolveCompany(store, flags.company)
      const { random, clock, pepper } = await cryptoContext()
      const mailQueue =
        config.smtpUrl === '' ? null : new MailQueue(new Encryptor({ pepper, random }, 'letters'), clock)
      const language = flags.language ?? 'en'
      const { link } = await runAudited(store, runtime, {
        company,
        action: 'person-invite',
        execute: (transaction) => {
          const invitation = {
            email,
            membership,
            language,
            now: clock(),
            company: { name: company.name, zone: company.timezone },
            by: operatorName[language],
            address: baseUrl(config),
          }
          return sendInvitation(transaction, invitation, { random, mailQueue })
        },
        auditData: (sent) => ({ invitation: sent.id, role: membership.role }),
      })
      printOne(runtime, { email, company: company.name, role: membership.role, link }, flags)
      runtime.printMessage(
        link === null
          ? 'The mail is queued and will be sent by a running server.\n'
          : 'Mail is not configured. Pass the link on yourself; it is shown only once.\n',
      )
    },
    mailSettings,
  )
}

export function addResetPasswordCommand(user: Command, runtime: Runtime): void {
  const command = user
    .command('reset-password <email>')
    .description('create a password-reset link to pass on; single-use, valid for 60 minutes')
    .option('--json', 'print JSON')
  addStoreAction(
    command,
    runtime,
    async ({ store, flags, config }, email) => {
      const token = await store.inSystemTransaction(async (writer) => {
        const found = await findUser(writer, email)
        if (found === undefined || found.disabledAt !== null) throw new OperatorError(`There is no user ${email}.`)
        return createPasswordLink(writer, found, runtime)
      })
      if (token === null) throw new OperatorError(`A link for ${email} was created within the last 5 minutes.`)
      printOne(runtime, { email, link: passwordResetUrl(baseUrl(config), token) }, flags)
      runtime.printMessage('The password is unchanged until the link is used.\n')
    },
    mailSettings,
  )
}

function baseUrl({ publicUrl, host, port }: Config): string {
  return publicUrl || `http://${host}:${port}`
}
