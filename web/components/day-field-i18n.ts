// Texts of the date field and its calendar.
import { defineSection } from '../i18n/define-section.ts'

export const dayFieldText = defineSection({
  dayField: {
    calendar: {
      nextMonth: ['Neste måned', 'Next month'],
      previousMonth: ['Forrige måned', 'Previous month'],
      nextYear: ['Neste år', 'Next year'],
      previousYear: ['Forrige år', 'Previous year'],
      nextDecade: ['Neste tiår', 'Next decade'],
      previousDecade: ['Forrige tiår', 'Previous decade'],
    },
    placeholder: ['dd.mm.åååå', 'dd/mm/yyyy'],
    remove: ['Fjern datoen', 'Remove the date'],
  },
})
