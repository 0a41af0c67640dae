// Top bar: company, search, language, theme and account.
import { Menu, useMantineColorScheme, UnstyledButton, type MantineColorScheme } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession, useSignInActions } from '../api/session.ts'
import type { Language } from '../../src/app/contract/session.ts'
import { useTranslation } from '../i18n/translation.ts'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { Icon } from '../components/Icon.tsx'
import { screensFor } from './navigation.ts'
import icon from '../icon.svg'
import { useHotkeys } from '@mantine/hooks'
import { useState } from 'react'
import { loadOnDemand } from '../components/load-on-demand.tsx'
import { openPalette } from './palette-store.ts'
import { useCompanySwitch } from './use-company-switch.ts'
import './TopBar.css'

export function TopBar() {
  const { t } = useTranslation()
  const { isSandbox } = useSession()
  return (
    <header className="top">
      <Link to="/app/i-dag" className="brand" aria-label={t.appName}>
        <Logo />
        <span>{t.appName}</span>
      </Link>
      <CompanySwitcher />
      {isSandbox && (
        <span className="warning-tag sandbox">
          {t.sandbox.label}
          <span className="sandbox-text">: {t.sandbox.text}</span>
        </span>
      )}
      <div className="top-tools">
        <Search />
        <LanguageSwitch />
        <Account />
      </div>
    </header>
  )
}

export function Logo() {
  return <img src={icon} width="28" height="28" alt="" />
}

function CompanySwitcher() {
  const { t } = useTranslation()
  const { company, companies } = useSession()
  const { mutate, error } = useCompanySwitch()
  if (companies.length < 2) return <span className="company">{company}</span>
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className="company" aria-label={`${t.company}: ${company}`}>
          <span>{company}</span>
          <Icon name="right" size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {companies.map((name) => (
          <Menu.Item key={name} closeMenuOnClick={name === company} onClick={() => name !== company && mutate(name)}>
            {name}
          </Menu.Item>
        ))}
        <ErrorAlert error={error} />
      </Menu.Dropdown>
    </Menu>
  )
}

const languages: readonly { code: Language; short: string; name: string }[] = [
  { code: 'nb', short: 'NO', name: 'Norsk' },
  { code: 'en', short: 'EN', name: 'English' },
]

export function LanguageSwitch() {
  const { t, language, selectLanguage } = useTranslation()
  return (
    <div className="languages" role="group" aria-label={t.language}>
      {languages.map(({ code, short, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          title={name}
          aria-pressed={language === code}
          onClick={() => selectLanguage(code)}
        >
          {short}
        </button>
      ))}
    </div>
  )
}

const schemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark']

function Account() {
  const { t } = useTranslation()
  const session = useSession()
  const { signOut } = useSignInActions()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className="account" aria-label={`${t.account}: ${session.email}`}>
          {(session.name ?? session.email).charAt(0).toUpperCase()}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className="account-who">
          <strong>{session.name ?? session.email}</strong>
          {session.name !== null && <span>{session.email}</span>}
          <span>{t.roles[session.role]}</span>
        </div>
        <Menu.Divider />
        <Menu.Label>{t.theme.label}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            aria-current={colorScheme === scheme}
            onClick={() => setColorScheme(scheme)}
            rightSection={colorScheme === scheme ? <Icon name="approve" size={16} /> : undefined}
          >
            {t.theme[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {screensFor(session)
          .filter(({ isHiddenInBottomBar }) => isHiddenInBottomBar)
          .map(({ to, name }) => (
            <Menu.Item key={name} className="phone-only" component={Link} to={to}>
              {t.screens[name]}
            </Menu.Item>
          ))}
        <Menu.Item component={Link} to="/app/konto">
          {t.myAccount}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const Palette = loadOnDemand(async () => (await import('./Palette.tsx')).Palette)

function Search() {
  const { t } = useTranslation()
  const [isLoaded, setLoaded] = useState(false)
  // The palette opens itself once it has loaded.
  const open = () => (isLoaded ? openPalette() : setLoaded(true))
  useHotkeys([['mod+K', open]], [], true)
  return (
    <>
      <UnstyledButton className="top-search" aria-haspopup="dialog" aria-keyshortcuts="Control+K Meta+K" onClick={open}>
        <Icon name="search" size={16} />
        <span>{t.palette.open}</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </UnstyledButton>
      {isLoaded && <Palette />}
    </>
  )
}

const isMac = navigator.userAgent.includes('Mac')
