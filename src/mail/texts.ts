// What the house writes in its letters, in both languages.
import type { Language } from '#phrases.ts'
import { letterOf, type Letter } from '#mail/letter.ts'

/** To see whether letters arrive. */
export const testLetter = (to: string, language: Language): Letter => {
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
