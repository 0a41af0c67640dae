// What the house writes in its letters, in both languages.
import type { Role } from '../../auth/roles.ts'
import type { Language } from '../../errors/messages.ts'
import { letterOf, type Letter } from './message.ts'

/** To see whether letters arrive. */
export function testLetter(to: string, language: Language): Letter {
  const { subject, text } = trial[language]
  return letterOf(to, subject, [text])
}

const trial = {
  en: {
    subject: 'A test from Dagsverk',
    text: 'This letter shows that Dagsverk can send mail. Nobody has to answer it.',
  },
  nb: {
    subject: 'En prøve fra Dagsverk',
    text: 'Dette brevet viser at Dagsverk kan sende e-post. Ingen trenger å svare på det.',
  },
} as const

export interface InvitationTold {
  readonly company: string
  /** Who invites, as the reader knows them. */
  readonly by: string
  readonly role: Role
  readonly link: string
  /** Until when it is good, in words. */
  readonly until: string
}

export function invitationLetter(to: string, told: InvitationTold, language: Language): Letter {
  const { subject, asks, choose, until, unasked } = invitation[language]
  return letterOf(to, subject(told), [
    asks(told, roleWords[language][told.role]),
    choose,
    { link: told.link },
    until(told),
    unasked,
  ])
}

const invitation = {
  en: {
    subject: ({ company }: InvitationTold) => `You are invited to ${company}`,
    asks: ({ by, company }: InvitationTold, role: string) =>
      `${by} invites you to ${company} in Dagsverk, as ${role}.`,
    choose: 'Open this address to join:',
    until: ({ until }: InvitationTold) => `The link works once, until ${until}.`,
    unasked: 'If you expect nothing of the kind, leave this letter unanswered: nothing happens.',
  },
  nb: {
    subject: ({ company }: InvitationTold) => `Du er invitert til ${company}`,
    asks: ({ by, company }: InvitationTold, role: string) =>
      `${by} inviterer deg til ${company} i Dagsverk, som ${role}.`,
    choose: 'Åpne denne adressen for å bli med:',
    until: ({ until }: InvitationTold) => `Lenken virker én gang, til ${until}.`,
    unasked: 'Venter du ikke noe slikt, kan du la brevet ligge: da skjer ingenting.',
  },
} as const

/** Who invites where an operator does, at a command line. */
export const operatorWords: Readonly<Record<Language, string>> = {
  en: 'Whoever runs Dagsverk',
  nb: 'Den som drifter Dagsverk',
}

const roleWords: Readonly<Record<Language, Readonly<Record<Role, string>>>> = {
  en: {
    registrant: 'registrant',
    viewer: 'viewer',
    approver: 'approver',
    auditor: 'auditor',
    admin: 'administrator',
  },
  nb: {
    registrant: 'registrant',
    viewer: 'leser',
    approver: 'godkjenner',
    auditor: 'revisor',
    admin: 'administrator',
  },
}

export function forgottenLetter(to: string, link: string, language: Language): Letter {
  const { subject, asks, until, unasked } = forgotten[language]
  return letterOf(to, subject, [asks, { link }, until, unasked])
}

const forgotten = {
  en: {
    subject: 'A new password for Dagsverk',
    asks: 'Somebody, you we suppose, has forgotten the password of this address. Open this one to choose a new password:',
    until: 'The link works once, for 60 minutes. Then you are signed out everywhere.',
    unasked: 'If it was not you, leave this letter unanswered: your password stays as it is.',
  },
  nb: {
    subject: 'Nytt passord til Dagsverk',
    asks: 'Noen, trolig du, har glemt passordet til denne adressen. Åpne lenken for å velge et nytt:',
    until: 'Lenken virker én gang, i 60 minutter. Deretter er du logget ut overalt.',
    unasked: 'Var det ikke deg, kan du la brevet ligge: passordet ditt blir som det er.',
  },
} as const

export function changedLetter(to: string, language: Language): Letter {
  const { subject, text, unasked } = changed[language]
  return letterOf(to, subject, [text, unasked])
}

const changed = {
  en: {
    subject: 'Your password was changed',
    text: 'The password of this address in Dagsverk was changed just now, and every session of yours has ended.',
    unasked: 'If it was not you, tell whoever runs Dagsverk for you at once.',
  },
  nb: {
    subject: 'Passordet ditt er endret',
    text: 'Passordet til denne adressen i Dagsverk er nettopp endret, og du er logget ut overalt.',
    unasked: 'Var det ikke deg, si fra med en gang til den som drifter Dagsverk for dere.',
  },
} as const
