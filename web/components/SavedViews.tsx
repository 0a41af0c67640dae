// SavedViews: a menu to open, save and delete named filters of a screen.
import { Button, Menu, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useViews, viewsQuery } from '../api/saved-views.ts'
import { useText } from '../i18n/translation.tsx'
import { Icon } from './Icon.tsx'

export function SavedViews({ screen }: { screen: string }) {
  const { say } = useText()
  const router = useRouter()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const { data: all = [] } = useQuery(viewsQuery)
  const { drop } = useViews()
  const [isNaming, setNaming] = useState(false)
  const views = all.filter((view) => view.screen === screen)
  return (
    <>
      <Menu position="bottom-start" width={300} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default">{say.views.saved}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {views.map((view) => (
            <div key={view.name} className="saved-view">
              <Menu.Item onClick={() => router.history.push(`/app/${screen}${view.search}`)}>
                {view.name}
              </Menu.Item>
              <Menu.Item aria-label={say.views.drop(view.name)} onClick={() => drop.mutate(view)}>
                <Icon name="close" size={16} />
              </Menu.Item>
            </div>
          ))}
          {views.length > 0 && <Menu.Divider />}
          <Menu.Item disabled={search === ''} onClick={() => setNaming(true)}>
            {say.views.keep}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isNaming && <Naming screen={screen} search={search} onClose={() => setNaming(false)} />}
    </>
  )
}

interface NamingProps {
  readonly screen: string
  readonly search: string
  readonly onClose: () => void
}

function Naming({ screen, search, onClose }: NamingProps) {
  const { say } = useText()
  const { keep } = useViews()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const wrong = isMissing ? say.views.nameMissing : undefined
  return (
    <Modal
      opened
      onClose={onClose}
      title={say.views.keep}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === '') setMissing(true)
          else keep.mutate({ screen, name: name.trim(), search }, { onSuccess: onClose })
        }}
      >
        <TextInput
          data-autofocus
          label={say.views.name}
          description={say.views.nameHint}
          maxLength={60}
          value={name}
          error={keep.error?.message ?? wrong}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <div className="dialog-actions">
          <Button size="sm" variant="default" onClick={onClose}>
            {say.cancel}
          </Button>
          <Button size="sm" type="submit" loading={keep.isPending}>
            {say.save}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
