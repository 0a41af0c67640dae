// ErrorAlert: the message of a failed action, read aloud at once.

export function ErrorAlert({ error }: { error: Error | null }) {
  return error === null ? null : (
    <p className="problem" role="alert">
      {error.message}
    </p>
  )
}
