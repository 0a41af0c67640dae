// Button: a button with a text, and maybe an icon before it; the main one of its place is filled.
import { Button as MantineButton, type ButtonProps } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

interface LabelledButtonProps
  extends Omit<ComponentProps<typeof MantineButton<'button'>>, keyof ButtonProps>, ButtonProps {
  readonly label: ReactNode
  readonly icon?: IconName
  readonly isPrimary?: boolean
}

export function Button({ label, icon, isPrimary = false, onClick, ...button }: LabelledButtonProps) {
  const leftSection = icon && <Icon name={icon} size={16} />
  return (
    <MantineButton
      variant={isPrimary ? 'filled' : 'default'}
      leftSection={leftSection}
      // A field that shows an error when the focus leaves it moves the button away from the pointer, which then clicks nothing.
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        // Enter in a field is a click without a pointer, and leaves the focus there.
        if (event.detail > 0) event.currentTarget.focus()
        onClick?.(event)
      }}
      {...button}
    >
      {label}
    </MantineButton>
  )
}

type ChipProps = ComponentProps<'button'> & { readonly label: ReactNode }

export function Chip({ label, ...button }: ChipProps) {
  return (
    <button type="button" className="chip" {...button}>
      {label}
    </button>
  )
}

interface StepButtonsProps {
  /** Read aloud. */
  readonly names: readonly [previous: string, next: string]
  readonly className?: string | undefined
  readonly onStep: (step: -1 | 1) => void
}

export function StepButtons({ names: [previous, next], className, onStep }: StepButtonsProps) {
  return (
    <MantineButton.Group className={className}>
      <Button label={<Icon name="left" />} px={8} aria-label={previous} onClick={() => onStep(-1)} />
      <Button label={<Icon name="right" />} px={8} aria-label={next} onClick={() => onStep(1)} />
    </MantineButton.Group>
  )
}
