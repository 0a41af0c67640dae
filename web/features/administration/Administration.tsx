// Administration: sections of the company, and of the server for its operator.
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { administrationQuery } from './api.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded, NoAccess } from '../../components/QueryStates.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { companyText } from './companies-i18n.ts'
import { administrationText } from '../../i18n/administration.ts'
import { integrationText } from './integrations-i18n.ts'
import { settingsText } from './settings-i18n.ts'
import { defineTranslation, useTranslation } from '../../i18n/translation.ts'
import { Companies } from './Companies.tsx'
import { Credentials } from './Credentials.tsx'
import { People } from './People.tsx'
import { RejectedCalls } from './RejectedCalls.tsx'
import { Settings } from './Settings.tsx'
import { System } from './System.tsx'
import { ExportAlertRule } from './AlertRules.tsx'
import { Webhooks } from './Webhooks.tsx'

const companySections = ['nokler', 'kall', 'webhooks', 'personer', 'innstillinger'] as const

const serverSections = ['firmaer', 'drift'] as const

type AdminSection = (typeof companySections)[number] | (typeof serverSections)[number]

export function Administration() {
  const { t } = useTranslation()
  const { role, isOperator } = useSession()
  const sections = [...(role === 'admin' ? companySections : []), ...(isOperator ? serverSections : [])]
  const first = sections[0]
  return (
    <Page title={t.screens.administrasjon}>
      {first === undefined ? <NoAccess /> : <AdminSections sections={sections} first={first} />}
    </Page>
  )
}

function AdminSections({ sections, first }: { sections: readonly AdminSection[]; first: AdminSection }) {
  const { t } = useSectionNames()
  const { vis = first } = useSearch({ from: '/app/administrasjon' })
  const names: Readonly<Record<AdminSection, string>> = {
    nokler: t.administration.keys,
    kall: t.calls.title,
    webhooks: t.webhooks.title,
    personer: t.administration.people,
    innstillinger: t.administration.settings,
    firmaer: t.companies.title,
    drift: t.system.title,
  }
  return (
    <>
      <Tabs
        label={t.screens.administrasjon}
        names={sections}
        current={vis}
        titles={names}
        linkTo={(section) => ({ to: '/app/administrasjon', search: section === first ? {} : { vis: section } })}
      />
      {sections.includes(vis) ? (
        contents[vis]
      ) : (
        <NoAccess isForOperator={serverSections.some((section) => section === vis)} />
      )}
    </>
  )
}

const useSectionNames = defineTranslation(companyText, administrationText, integrationText, settingsText)

const contents: Readonly<Record<AdminSection, ReactNode>> = {
  nokler: <Loaded options={administrationQuery}>{(company) => <Credentials {...company} />}</Loaded>,
  kall: <RejectedCalls />,
  webhooks: <Webhooks />,
  personer: <Loaded options={administrationQuery}>{(company) => <People {...company} />}</Loaded>,
  innstillinger: (
    <Loaded options={administrationQuery}>
      {(company) => (
        <>
          <Settings {...company} />
          <ExportAlertRule {...company} />
        </>
      )}
    </Loaded>
  ),
  firmaer: <Companies />,
  drift: <System />,
}
