// Formats times for mail texts.
import type { Language } from '../../errors/messages.ts'

/** `at` in microseconds, shown in the time zone of the company. */
export function formatTime(language: Language, zone: string, at: number): string {
  return new Intl.DateTimeFormat(language === 'nb' ? 'nb-NO' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: zone,
  }).format(at / 1000)
}
