// RowButton: a button that every row of a list has; its accessible name says of which row.
import { Button, type ButtonProps } from '@mantine/core'

interface RowButtonProps extends ButtonProps {
  readonly label: string
  /** Name of the row. */
  readonly of: string
  readonly onClick: () => void
}

export function RowButton({ label, of, ...button }: RowButtonProps) {
  return (
    <Button variant="default" aria-label={`${label}: ${of}`} {...button}>
      {label}
    </Button>
  )
}
