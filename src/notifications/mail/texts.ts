// Texts of invitation, password and test mails, in English and Norwegian.
import type { Role } from '../../auth/roles.ts'
import type { Language } from '../../errors/messages.ts'
import { renderMessage, type MailMessage } from './message.ts'

export function testMessage(to: string, language: Language): MailMessage {
  const { subject, text } = testTexts[language]
  return renderMessage(to, subject, [text])
}

const testTexts = {
  en: {
    subject: 'Test message from Dagsverk',
    text: 'This message confirms that Dagsverk can send e-mail. You do not need to reply.',
  },
  nb: {
    subject: 'Testmelding fra Dagsverk',
    text: 'Denne meldingen bekrefter at Dagsverk kan sende e-post. Du trenger ikke å svare.',
  },
} as const

export interface InvitationDetails {
  readonly company: string
  /** Display name of the inviting person. */
  readonly by: string
  readonly role: Role
  readonly link: string
  /** When the link expires, as text. */
  readonly until: string
}

export function invitationMessage(to: string, details: InvitationDetails, language: Language): MailMessage {
  const { subject, intro, action, expiry, unexpected } = invitationTexts[language]
  return renderMessage(to, subject(details), [
    intro(details, roleNames[language][details.role]),
    action,
    { link: details.link },
    expiry(details),
    unexpected,
  ])
}

const invitationTexts = {
  en: {
    subject: ({ company }: InvitationDetails) => `You are invited to ${company}`,
    intro: ({ by, company }: InvitationDetails, role: string) =>
      `${by} invites you to ${company} in Dagsverk, as ${role}.`,
    action: 'Open this link to join:',
    expiry: ({ until }: InvitationDetails) => `The link can be used once and expires on ${until}.`,
    unexpected: 'If you did not expect this invitation, you can ignore this message.',
  },
  nb: {
    subject: ({ company }: InvitationDetails) => `Du er invitert til ${company}`,
    intro: ({ by, company }: InvitationDetails, role: string) =>
      `${by} inviterer deg til ${company} i Dagsverk, som ${role}.`,
    action: 'Åpne denne lenken for å bli med:',
    expiry: ({ until }: InvitationDetails) => `Lenken kan brukes én gang og utløper ${until}.`,
    unexpected: 'Hvis du ikke ventet denne invitasjonen, kan du se bort fra meldingen.',
  },
} as const

/** The inviting person in invitations from the command line. */
export const operatorName: Readonly<Record<Language, string>> = {
  en: 'The operator of Dagsverk',
  nb: 'Driftsansvarlig for Dagsverk',
}

const roleNames: Readonly<Record<Language, Readonly<Record<Role, string>>>> = {
  en: { registrant: 'registrant', viewer: 'viewer', approver: 'approver', auditor: 'auditor', admin: 'administrator' },
  nb: { registrant: 'registrant', viewer: 'leser', approver: 'godkjenner', auditor: 'revisor', admin: 'administrator' },
}

export function passwordResetMessage(to: string, link: string, language: Language): MailMessage {
  const { subject, intro, expiry, unexpected } = passwordResetTexts[language]
  return renderMessage(to, subject, [intro, { link }, expiry, unexpected])
}

const passwordResetTexts = {
  en: {
    subject: 'Reset your Dagsverk password',
    intro: 'Someone asked to reset the password of this e-mail address. Open this link to choose a new password:',
    expiry: 'The link can be used once and expires after 60 minutes. Changing the password signs you out everywhere.',
    unexpected: 'If you did not ask for this, you can ignore this message. Your password is unchanged.',
  },
  nb: {
    subject: 'Tilbakestill passordet ditt i Dagsverk',
    intro: 'Noen har bedt om å tilbakestille passordet for denne e-postadressen. Åpne lenken for å velge et nytt:',
    expiry:
      'Lenken kan brukes én gang og utløper etter 60 minutter. Når passordet er endret, blir du logget ut overalt.',
    unexpected: 'Hvis du ikke ba om dette, kan du se bort fra meldingen. Passordet ditt er uendret.',
  },
} as const

export function passwordChangedMessage(to: string, language: Language): MailMessage {
  const { subject, text, unexpected } = passwordChangedTexts[language]
  return renderMessage(to, subject, [text, unexpected])
}

const passwordChangedTexts = {
  en: {
    subject: 'Your password was changed',
    text: 'The password of your Dagsverk account was just changed, and you have been signed out everywhere.',
    unexpected: 'If you did not change it, contact the operator of Dagsverk immediately.',
  },
  nb: {
    subject: 'Passordet ditt er endret',
    text: 'Passordet til kontoen din i Dagsverk er nettopp endret, og du er logget ut overalt.',
    unexpected: 'Hvis du ikke endret det, kontakt driftsansvarlig for Dagsverk med en gang.',
  },
} as const
