// Texts of invitation, password and test mails, in both languages.
import type { Role } from '../../auth/roles.ts'
import { inLanguage, interpolate, type Language, type MessagePair, type MessageParams } from '../../errors/messages.ts'
import { renderMessage, type MailMessage } from './message.ts'

/** The values of the `{placeholders}` of each kind of mail; `link` is the address that it opens. */
interface MailValues {
  readonly test: object
  readonly invitation: Readonly<Record<'by' | 'company' | 'role' | 'until' | 'link', string>>
  readonly passwordReset: { readonly link: string }
  readonly passwordChanged: object
}

interface MailText {
  readonly subject: MessagePair
  /** `link` stands for the link among the values. */
  readonly paragraphs: readonly (MessagePair | 'link')[]
}

const mailTexts: Readonly<Record<keyof MailValues, MailText>> = {
  test: {
    subject: ['Testmelding fra Dagsverk', 'Test message from Dagsverk'],
    paragraphs: [
      [
        'Denne meldingen bekrefter at Dagsverk kan sende e-post. Du trenger ikke å svare.',
        'This message confirms that Dagsverk can send e-mail. You do not need to reply.',
      ],
    ],
  },
  invitation: {
    subject: ['Du er invitert til {company}', 'You are invited to {company}'],
    paragraphs: [
      [
        '{by} inviterer deg til {company} i Dagsverk, som {role}.',
        '{by} invites you to {company} in Dagsverk, as {role}.',
      ],
      ['Åpne denne lenken for å bli med:', 'Open this link to join:'],
      'link',
      ['Lenken kan brukes én gang og utløper {until}.', 'The link can be used once and expires on {until}.'],
      [
        'Hvis du ikke ventet denne invitasjonen, kan du se bort fra meldingen.',
        'If you did not expect this invitation, you can ignore this message.',
      ],
    ],
  },
  passwordReset: {
    subject: ['Tilbakestill passordet ditt i Dagsverk', 'Reset your Dagsverk password'],
    paragraphs: [
      [
        'Noen har bedt om å tilbakestille passordet for denne e-postadressen. Åpne lenken for å velge et nytt:',
        'Someone asked to reset the password of this e-mail address. Open this link to choose a new password:',
      ],
      'link',
      [
        'Lenken kan brukes én gang og utløper etter 60 minutter. Når passordet er endret, blir du logget ut overalt.',
        'The link can be used once and expires after 60 minutes. Changing the password signs you out everywhere.',
      ],
      [
        'Hvis du ikke ba om dette, kan du se bort fra meldingen. Passordet ditt er uendret.',
        'If you did not ask for this, you can ignore this message. Your password is unchanged.',
      ],
    ],
  },
  passwordChanged: {
    subject: ['Passordet ditt er endret', 'Your password was changed'],
    paragraphs: [
      [
        'Passordet til kontoen din i Dagsverk er nettopp endret, og du er logget ut overalt.',
        'The password of your Dagsverk account was just changed, and you have been signed out everywhere.',
      ],
      [
        'Hvis du ikke endret det, kontakt driftsansvarlig for Dagsverk med en gang.',
        'If you did not change it, contact the operator of Dagsverk immediately.',
      ],
    ],
  },
}

export function mailMessage<Kind extends keyof MailValues>(
  kind: Kind,
  to: string,
  language: Language,
  values: MailValues[Kind],
): MailMessage {
  const { subject, paragraphs } = mailTexts[kind]
  const { link = '', ...params }: MessageParams & { readonly link?: string } = { ...values }
  const write = (text: MessagePair) => interpolate(inLanguage(text, language), params, language)
  const written = paragraphs.map((one) => (one === 'link' ? { link } : write(one)))
  return renderMessage(to, write(subject), written)
}

/** The inviting person in invitations from the command line. */
export const operatorName: Readonly<Record<Language, string>> = {
  en: 'The operator of Dagsverk',
  nb: 'Driftsansvarlig for Dagsverk',
}

export const roleNames: Readonly<Record<Language, Readonly<Record<Role, string>>>> = {
  en: { registrant: 'registrant', viewer: 'viewer', approver: 'approver', auditor: 'auditor', admin: 'administrator' },
  nb: { registrant: 'registrant', viewer: 'leser', approver: 'godkjenner', auditor: 'revisor', admin: 'administrator' },
}
