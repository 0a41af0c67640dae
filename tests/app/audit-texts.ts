// The texts with which the app describes entries of the audit.
import { settingsText } from '../../web/features/administration/settings-i18n.ts'
import { auditText } from '../../web/i18n/audit.ts'
import { catalogues } from '../../web/i18n/translation.ts'

function textsIn(language: 'nb' | 'en') {
  return { ...catalogues[language], ...settingsText[language], ...auditText[language] }
}

export const auditTexts = { nb: textsIn('nb'), en: textsIn('en') }
