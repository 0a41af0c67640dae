// Filters of the audit, and its CSV download.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { auditFile, type AuditSought } from './api.ts'
import { downloadCsv } from '../../api/csv.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { Icon } from '../../components/Icon.tsx'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { Problem } from '../../components/FormError.tsx'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { subjectText } from './audit-subject.ts'

const route = getRouteApi('/app/revisjon')

export function AuditSearch({ sought }: { sought: AuditSought }) {
  const { say } = useText(auditText, exportText)
  const navigate = route.useNavigate()
  const { linje, hvem } = route.useSearch()
  return (
    <div className="toolbar">
      <Field
        key={`line ${linje}`}
        label={say.audit.line}
        value={linje === undefined ? '' : String(linje)}
        isNumber
        onSet={(text) =>
          void navigate({
            search: (last) => ({ ...last, linje: text === '' ? undefined : Number(text) }),
          })
        }
      />
      <Field
        key={`who ${hvem}`}
        label={say.audit.who}
        value={hvem ?? ''}
        onSet={(text) =>
          void navigate({ search: (last) => ({ ...last, hvem: text || undefined }) })
        }
      />
      <NativeSelect
        aria-label={say.export.columns.what}
        value={sought.action ?? ''}
        onChange={({ currentTarget }) =>
          void navigate({
            search: (last) => ({ ...last, hva: currentTarget.value || undefined }),
          })
        }
        data={[
          { value: '', label: say.audit.everyAct },
          ...Object.entries(say.audit.actions).map(([value, label]) => ({ value, label })),
        ]}
      />
      <span className="spacer" />
      <TakeAlong sought={sought} />
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly isNumber?: boolean
  readonly onSet: (text: string) => void
}

/** Searches on blur or Enter, not on every letter: each search scans the whole log. */
function Field({ label, value, isNumber = false, onSet }: FieldProps) {
  const [typed, setTyped] = useState(value)
  const set = () => {
    if (typed.trim() !== value) onSet(typed.trim())
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      inputMode={isNumber ? 'numeric' : 'text'}
      value={typed}
      onChange={({ currentTarget }) =>
        setTyped(isNumber ? currentTarget.value.replace(/\D/g, '') : currentTarget.value)
      }
      onBlur={set}
      onKeyDown={({ key }) => key === 'Enter' && set()}
    />
  )
}

function TakeAlong({ sought }: { sought: AuditSought }) {
  const { say } = useText(auditText, exportText, revenueText)
  const { company } = useSession()
  const { run, dialog } = useGrave()
  const [problem, setProblem] = useState<string | null>(null)
  const take = async () => {
    setProblem(null)
    const rows = await run(() => auditFile(sought))
    const actions: Readonly<Record<string, string>> = say.audit.actions
    const { columns } = say.export
    downloadCsv(`${say.screens.revisjon.toLowerCase()}_${company}.csv`, [
      [
        say.audit.number,
        columns.at,
        columns.by,
        columns.what,
        say.audit.which,
        say.audit.request,
        say.audit.hash,
      ],
      ...rows.map((row) => [
        String(row.id),
        new Date(row.at / 1000).toISOString(),
        actorText(row.actor, say),
        actions[row.action] ?? row.action,
        subjectText(row, say, (ids) => ids),
        row.requestId,
        row.hash,
      ]),
    ])
  }
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="download" size={16} />}
        onClick={() =>
          void take().catch((error: unknown) =>
            setProblem(error instanceof Error ? error.message : String(error)),
          )
        }
      >
        {say.audit.download}
      </Button>
      <Problem text={problem} />
      {dialog}
    </>
  )
}
