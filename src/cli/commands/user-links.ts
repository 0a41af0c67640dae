// `dagsverk user invite` and `dagsverk user reset`: links that let somebody in, by letter or to pass on.
import { Option, type Command } from 'commander'
import { openedByOperator } from '../../auth/caller.ts'
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import { passwordLinkFor } from '../../auth/passwords/password-reset.ts'
import { roles } from '../../auth/roles.ts'
import { Seal } from '../../auth/tokens/encryptor.ts'
import { mailSettings, withSettings } from '../../server/config-options.ts'
import { companyMeant } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { printOne, type JsonFlag } from '../support/print.ts'
import { readRole } from '../support/user-role.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { passwordLink } from '../../notifications/mail/password-reset-mailer.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { Outbox } from '../../notifications/mail/mail-queue.ts'
import { operatorWords } from '../../notifications/mail/texts.ts'
import type { Language } from '../../errors/messages.ts'
import type { Config } from '../../config/settings.ts'
import { writeAudit } from '../../store/audit/audit.ts'
import { findUser } from '../../store/accounts/users.ts'

interface InviteFlags extends JsonFlag {
  readonly company?: string
  readonly role: string
  readonly departments?: string
  readonly language?: Language
}

export function addInviteCommand(user: Command, world: World): void {
  const command = user
    .command('invite <email>')
    .description('invite a person, who chooses name and password; the link works once, for 7 days')
    .option('--company <name>', 'the company; needed where there are several')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--departments <list>', 'for an approver of some departments alone')
    .addOption(new Option('--language <language>', 'of the letter').choices(['en', 'nb']))
    .option('--json', 'print JSON')
    .action((email: string, flags: InviteFlags, called: Command) =>
      withStore(called, world, async (store, minting, config) => {
        if (emailProblem(email) !== null)
          throw new OperatorError(`"${email}" is no e-mail address.`, exitCodes.usage)
        const place = { role: readRole(flags.role), departments: listed(flags.departments) }
        const company = await companyMeant(store, flags.company)
        const { random, clock, pepper } = await minting()
        const outbox =
          config.smtpUrl === '' ? null : new Outbox(new Seal({ pepper, random }, 'letters'), clock)
        const language = flags.language ?? 'en'
        const now = clock()
        const { link } = await store.inTransaction(
          openedByOperator(company),
          async (transaction) => {
            const inviting = {
              email,
              place,
              language,
              now,
              company: { name: company.name, zone: company.timezone },
              by: operatorWords[language],
              address: addressOf(config),
            }
            const sent = await sendInvitation(transaction, inviting, { random, outbox })
            const data = { invitation: sent.id, role: place.role }
            await writeAudit(transaction, {
              at: now,
              actor: 'operator',
              action: 'person-invite',
              target: 'Firma',
              requestId: '',
              data,
            })
            return sent
          },
        )
        printOne(world, { email, company: company.name, role: place.role, link }, flags)
        world.tell(
          link === null
            ? 'A letter waits in the outbox, and a running server sends it.\n'
            : 'Mail is not set up: pass the link on yourself. It is shown this once.\n',
        )
      }),
    )
  withSettings(command, mailSettings)
}

export function addResetCommand(user: Command, world: World): void {
  const command = user
    .command('reset <email>')
    .description('make a link to a new password, to pass on; it works once, for 60 minutes')
    .option('--json', 'print JSON')
    .action((email: string, flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store, _minting, config) => {
        const token = await store.inHouseTransaction(async (writer) => {
          const found = await findUser(writer, email)
          if (found === undefined || found.disabledAt !== null)
            throw new OperatorError(`There is no user ${email}.`)
          return passwordLinkFor(writer, found, world)
        })
        if (token === null)
          throw new OperatorError(`${email} was given a link within the last 5 minutes.`)
        printOne(world, { email, link: passwordLink(addressOf(config), token) }, flags)
        world.tell('The password stays as it is until the link is used.\n')
      }),
    )
  withSettings(command, mailSettings)
}

function addressOf({ publicUrl, host, port }: Config): string {
  return publicUrl || `http://${host}:${port}`
}

function listed(list: string | undefined): string[] | null {
  return list === undefined ? null : list.split(',').map((id) => id.trim())
}
