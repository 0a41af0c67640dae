// Every code of the server has a text in both languages.
import { describe, expect, test } from 'vitest'
import type { DecisionOutcome } from '../../src/material/decide.ts'
import { alertCodes } from '../../src/export/acknowledge.ts'
import { reasonCodes } from '../../src/export/line-actions.ts'
import { eventTypes } from '../../src/notifications/webhooks/publish.ts'
import { auditActions } from '../../src/store/audit/audit.ts'
import type { LedgerAction } from '../../src/store/tables/exports.ts'
import { integrationText } from '../../web/features/administration/integrations-i18n.ts'
import { approvalText } from '../../web/i18n/approvals.ts'
import { auditText } from '../../web/i18n/audit.ts'
import { exportText } from '../../web/i18n/export.ts'
import { exportDetailsText } from '../../web/features/export/details-i18n.ts'

/** Does not compile when a code is missing here. */
const ledgerActions: Readonly<Record<LedgerAction, true>> = {
  acknowledged: true,
  failed: true,
  retried: true,
  sent_back: true,
  released: true,
  closed: true,
  undone: true,
  alert: true,
}

type Undone = Exclude<DecisionOutcome['code'], 'approved' | 'rejected' | 'withdrawn'>

const undecided: Readonly<Record<Undone, true>> = {
  already_approved: true,
  already_rejected: true,
  not_allowed: true,
  not_found: true,
}

describe.each(['nb', 'en'] as const)('texts in %s', (language) => {
  const t = {
    ...approvalText[language],
    ...auditText[language],
    ...exportText[language],
    ...integrationText[language],
    ...exportDetailsText[language],
  }
  test.each<[string, object, readonly string[]]>([
    ['action of the audit', t.audit.actions, auditActions],
    ['action of the ledger', t.export.actions, Object.keys(ledgerActions)],
    ['code of the ledger', t.exportDetails.codes, [...Object.values(alertCodes), 'broken']],
    ['reason code of a user', t.export.reasonCodes, reasonCodes],
    [
      'code of an undecided line',
      t.approvals.codes,
      [...Object.keys(undecided), 'SelfApprovalForbidden', 'LineClaimed', 'changed'],
    ],
    ['event of a webhook', t.webhooks.eventNames, [...eventTypes, 'webhook.test']],
  ])('every %s has a text', (_what, words, names) => {
    const known = new Map<string, unknown>(Object.entries(words))
    const missing = names.filter((name) => {
      const text = known.get(name)
      return typeof text !== 'string' || text === '' || text === name
    })
    expect(missing).toEqual([])
  })
})
