// ErrorAlert: the message of a failed action, read aloud at once.

export function ErrorAlert({ error }: { error: Error | string | null | undefined }) {
  const message = typeof error === 'string' ? error : error?.message
  return message === undefined ? null : (
    <p className="problem" role="alert">
      {message}
    </p>
  )
}
