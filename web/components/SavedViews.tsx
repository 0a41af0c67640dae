// SavedViews: a menu to open, save and delete named filters of a screen.
import { Button } from './Button.tsx'
import type { SavedView } from '../../src/app/contract/account.ts'
import { Group, Menu, TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { del, post } from '../api/client.ts'
import { replyQuery } from '../api/reply-query.ts'
import { useTranslation } from '../i18n/translation.ts'
import { ActionDialog } from './Dialog.tsx'
import { Icon } from './Icon.tsx'
import { useAction } from './use-action.ts'
import { useFields } from './use-fields.ts'

export function SavedViews({ screen }: { screen: string }) {
  const { t } = useTranslation()
  const router = useRouter()
  const search = useRouterState({
    select: ({ location }) => {
      // Of the filter, not of what is open or selected.
      const { linje: _, merket: __, ...filter }: Readonly<Record<string, unknown>> = location.search
      return router.options.stringifySearch(filter)
    },
  })
  const all = useQuery(viewsQuery).data?.views ?? []
  const remove = useAction(({ screen: of, name }: SavedView) => del('views', { screen: of, name }), changesViews)
  const [isNaming, setNaming] = useState(false)
  const views = all.filter((view) => view.screen === screen)
  return (
    <>
      <Menu position="bottom-start" width={300} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button label={t.views.saved} />
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <Group key={view.name} gap={0} wrap="nowrap">
              <Menu.Item flex={1} onClick={() => router.history.push(`/app/${screen}${view.search}`)}>
                {view.name}
              </Menu.Item>
              <Menu.Item
                flex="none"
                w="auto"
                aria-label={t.views.delete(view.name)}
                onClick={() => remove.mutate(view)}
              >
                <Icon name="close" size={16} />
              </Menu.Item>
            </Group>
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
  const saving = useAction((view: SavedView) => post('views', view), { ...changesViews, onDone: onClose })
  const { field, action, onSubmit } = useFields({
    initialValues: { name: '' },
    validate: { name: isNotEmpty(t.views.nameMissing) },
    labels: { name: t.name },
    action: saving,
  })
  return (
    <ActionDialog
      title={t.views.save}
      submit={t.save}
      action={action}
      onClose={onClose}
      onSubmit={onSubmit(({ name }) => saving.mutate({ screen, name: name.trim(), search }))}
    >
      <TextInput {...field('name')} data-autofocus description={t.views.nameHint} maxLength={60} />
    </ActionDialog>
  )
}

const viewsQuery = replyQuery(['views'], 'views', { staleTime: 300_000 })

const changesViews = { refreshes: ['views'] }
