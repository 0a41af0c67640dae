// Command palette: screens, actions and directory records by name.
import { useMantineColorScheme, CloseButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate } from '@tanstack/react-router'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useSession, useSignInActions } from '../api/session.ts'
import { useTranslation } from '../i18n/translation.ts'
import { listEntries, filterEntries, groupEntries, typedEntries, type PaletteActions } from './palette-entries.ts'
import { recordQueries, toRecordEntries } from './palette-records.ts'
import { useRegistrationEntries } from './palette-registration.ts'
import { ErrorAlert } from '../components/ErrorAlert.tsx'
import { Spotlight, useSpotlight } from '@mantine/spotlight'
import { closePalette, openPalette, paletteStore } from './palette-store.ts'
import { useCompanySwitch } from './use-company-switch.ts'
import './Palette.css'

export function Palette() {
  const { t } = useTranslation()
  const { opened, query, selected } = useSpotlight(paletteStore)
  const { entries, isSearching, error } = usePaletteEntries(query)
  const id = useId()
  const current = Math.min(selected, entries.length - 1)
  const groups = { ...t.palette.groups, ...t.sets }

  // After mounting, so that closing it returns the focus.
  useEffect(openPalette, [])

  // The library selects nothing on opening, nor when the first entry comes late.
  const isUnselected = opened && current < 0 && entries.length > 0
  useEffect(() => {
    if (isUnselected) paletteStore.setState((state) => ({ ...state, selected: 0 }))
  }, [isUnselected])

  return (
    <Spotlight.Root
      store={paletteStore}
      shortcut={null}
      attributes={{ content: { 'aria-label': t.palette.title } }}
      transitionProps={{ duration: 0 }}
    >
      <Spotlight.Search
        role="combobox"
        aria-label={t.palette.title}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={current < 0 ? undefined : `${id}-${current}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t.palette.hint}
        // The library moves the selection without rendering.
        onKeyDown={() => queueMicrotask(() => paletteStore.setState((state) => ({ ...state })))}
        rightSectionPointerEvents="all"
        rightSection={<CloseButton aria-label={t.close} onClick={closePalette} />}
      />
      <ErrorAlert error={error} />
      <p className="visually-hidden" role="status">
        {isSearching ? t.states.loading : t.table.matchCount(entries.length)}
      </p>
      <Spotlight.ActionsList id={`${id}-list`} role="listbox" aria-label={t.palette.title}>
        {groupEntries(entries).map(({ name, from, members }, group) => (
          // Keys are positions, because the library marks the selected element itself.
          <Spotlight.ActionsGroup key={group} role="group" aria-label={groups[name]} label={groups[name]}>
            {members.map(({ label, note, keys, staysOpen = false, run }, index) => (
              <Spotlight.Action
                key={index}
                // The library drops the property `id`.
                ref={(element) => element?.setAttribute('id', `${id}-${from + index}`)}
                role="option"
                className="palette-entry"
                aria-selected={from + index === current}
                data-selected={from + index === current || undefined}
                label={label}
                rightSection={keys === undefined ? note : <kbd>{keys}</kbd>}
                closeSpotlightOnTrigger={!staysOpen}
                onClick={run}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {entries.length === 0 && !isSearching && <Spotlight.Empty>{t.states.noMatchTitle}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

/** What matches the typed text; records are found by the server when the typing pauses. */
function usePaletteEntries(query: string) {
  const { t, language, format, selectLanguage } = useTranslation()
  const session = useSession()
  const { setColorScheme } = useMantineColorScheme()
  const { signOut } = useSignInActions()
  const switching = useCompanySwitch()
  const navigate = useNavigate()
  const [searchText] = useDebouncedValue(query.trim(), 200)
  const actions: PaletteActions = {
    go: (to, search) => void navigate({ to, search }),
    language: () => selectLanguage(language === 'nb' ? 'en' : 'nb'),
    theme: setColorScheme,
    signOut: () => void signOut(),
    switchCompany: (company) => switching.mutate(company),
  }
  const found = useQueries({ queries: recordQueries(session, searchText) })
  const hasChanged = query.trim() !== searchText
  // Not for a text that has changed since: Enter would register what was typed before.
  const command = hasChanged ? '' : searchText
  const registration = useRegistrationEntries(session, command, () => {
    closePalette()
    void navigate({ to: '/app/uttak', hash: 'mine' })
  })
  return {
    entries: [
      ...registration.entries,
      ...typedEntries(query, { session, language, t, format }, actions),
      ...filterEntries(listEntries(session, t, actions), query),
      ...toRecordEntries(found, format, actions),
    ],
    isSearching: hasChanged || registration.isSearching || found.some(({ isFetching }) => isFetching),
    error: registration.error ?? switching.error,
  }
}
