// A secret that is shown this once, with a button that copies it.
import { Button, CopyButton, Modal } from '@mantine/core'
import { useText } from '../../text/text.tsx'

interface OnceProps {
  readonly title: string
  readonly text: string
  readonly secret: string
  readonly onClose: () => void
}

export const Once = ({ title, text, secret, onClose }: OnceProps) => {
  const { say } = useText()
  return (
    <Modal
      opened
      onClose={onClose}
      // A slip beside the dialog would lose it for good.
      closeOnClickOutside={false}
      transitionProps={{ duration: 0 }}
      title={title}
      closeButtonProps={{ 'aria-label': say.close }}
    >
      <div className="dialog-form">
        <p>{text}</p>
        <p className="copyable">
          <code className="secret">{secret}</code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button data-autofocus variant="default" size="sm" onClick={copy}>
                {copied ? say.revenue.copied : say.help.copy}
              </Button>
            )}
          </CopyButton>
        </p>
        <div className="dialog-actions">
          <Button size="sm" onClick={onClose}>
            {say.administration.kept}
          </Button>
        </div>
      </div>
    </Modal>
  )
}
