// SetUp: first-run set-up of the server by its one-time link.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { post, sendJson, RequestError } from '../../api/client.ts'
import { getTokenFromUrl } from '../sign-in/links-api.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { FormError } from '../../components/FormError.tsx'
import { setUpText } from '../../i18n/set-up.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { SetUpFields, type SetUpValues } from './SetUpFields.tsx'
import { SetUpResult, type SetUpSecrets } from './SetUpResult.tsx'
import styles from './SetUp.module.css'

const initialValues: SetUpValues = {
  token: '',
  company: '',
  timezone: 'Europe/Oslo',
  companyPassword: '',
  email: '',
  password: '',
  keyName: '',
  scopes: 'revenue:read revenue:write',
}

export function SetUp() {
  const { t } = useTranslation(setUpText)
  const [linkToken] = useState(getTokenFromUrl)
  const [values, setValues] = useState<SetUpValues>({ ...initialValues, token: linkToken })
  const form = useRef<HTMLFormElement>(null)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const secrets = await sendJson<SetUpSecrets>('POST', '/setup', values)
      const { email, password } = values
      // The secrets are shown in any case; without a session the app asks for the password.
      await post(appPaths.session, { email: email.trim(), password, company: '' }).catch(() => null)
      return secrets
    },
  })
  const problems = fieldProblems(error, t.setUp.labels)
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [error])
  if (data !== undefined) return <SetUpResult secrets={data} zone={values.timezone} />
  return (
    <PublicLayout title={t.setUp.title}>
      <p>{t.setUp.lead}</p>
      {problems.size > 0 ? (
        <p className="problem" role="alert">
          {t.setUp.problems}
        </p>
      ) : (
        <FormError text={error?.message ?? null} />
      )}
      <form
        className={styles.setUp}
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <SetUpFields
          values={values}
          problems={problems}
          asksForToken={linkToken === ''}
          onChange={(changes) => setValues({ ...values, ...changes })}
        />
        <Button type="submit" size="md" loading={isPending}>
          {t.setUp.submit}
        </Button>
      </form>
    </PublicLayout>
  )
}

/** The messages by field; a message begins with the name of its field, for which the label is shown. */
function fieldProblems(error: Error | null, labels: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  if (!(error instanceof RequestError)) return new Map()
  const details = error.details.length === 0 ? [error] : error.details
  return new Map(
    details.flatMap(({ target, message }) => {
      const label = labels[target ?? '']
      return target === null || label === undefined ? [] : [[target, message.replace(target, label)] as const]
    }),
  )
}
