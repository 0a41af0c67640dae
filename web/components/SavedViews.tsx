// SavedViews: a menu to open, save and delete named filters of a screen.
import { Button, Menu, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useSavedViewMutations, viewsQuery } from '../api/saved-views.ts'
import { useTranslation } from '../i18n/translation.tsx'
import { ActionDialog } from './Dialog.tsx'
import { Icon } from './Icon.tsx'
import styles from './SavedViews.module.css'

export function SavedViews({ screen }: { screen: string }) {
  const { t } = useTranslation()
  const router = useRouter()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const { data: all = [] } = useQuery(viewsQuery)
  const { drop: remove } = useSavedViewMutations()
  const [isNaming, setNaming] = useState(false)
  const views = all.filter((view) => view.screen === screen)
  return (
    <>
      <Menu position="bottom-start" width={300} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default">{t.views.saved}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <div key={view.name} className={styles.view}>
              <Menu.Item onClick={() => router.history.push(`/app/${screen}${view.search}`)}>{view.name}</Menu.Item>
              <Menu.Item aria-label={t.views.delete(view.name)} onClick={() => remove.mutate(view)}>
                <Icon name="close" size={16} />
              </Menu.Item>
            </div>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item disabled={search === ''} onClick={() => setNaming(true)}>
            {t.views.save}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && <SaveViewDialog screen={screen} search={search} onClose={() => setNaming(false)} />}
    </>
  )
}

interface SaveViewDialogProps {
  readonly screen: string
  readonly search: string
  readonly onClose: () => void
}

function SaveViewDialog({ screen, search, onClose }: SaveViewDialogProps) {
  const { t } = useTranslation()
  const { keep: save } = useSavedViewMutations()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const wrong = isMissing ? t.views.nameMissing : undefined
  return (
    <ActionDialog
      title={t.views.save}
      submit={t.save}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={() => {
        if (name.trim() === '') setMissing(true)
        else save.mutate({ screen, name: name.trim(), search }, { onSuccess: onClose })
      }}
    >
      <TextInput
        data-autofocus
        label={t.views.name}
        description={t.views.nameHint}
        maxLength={60}
        value={name}
        error={save.error?.message ?? wrong}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ActionDialog>
  )
}
