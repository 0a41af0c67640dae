// SetUp: first-run set-up of the server by its one-time link.
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { post, sendJson } from '../../api/client.ts'
import { getTokenFromUrl } from '../sign-in/token.ts'
import { PublicLayout } from '../../app/PublicLayout.tsx'
import { FormError } from '../../components/FormError.tsx'
import { useFields } from '../../components/use-fields.ts'
import { setUpText } from '../../i18n/set-up.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { initialValues, SetUpFields, type SetUpValues } from './SetUpFields.tsx'
import { SetUpResult, type SetUpSecrets } from './SetUpResult.tsx'
import styles from './SetUp.module.css'

export function SetUp() {
  const { t } = useTranslation(setUpText)
  const [linkToken] = useState(getTokenFromUrl)
  const setUp = useMutation({
    mutationFn: async (values: SetUpValues) => {
      const secrets = await sendJson<SetUpSecrets>('POST', '/setup', {
        ...values,
        keyName: values.keyName.trim() || t.setUp.firstKey,
      })
      const { email, password } = values
      // The secrets are shown in any case; without a session the app asks for the password.
      await post('session', { email: email.trim(), password, company: '' }).catch(() => null)
      return secrets
    },
  })
  const { data, error } = setUp
  const form = useFields<SetUpValues>({
    initialValues: { ...initialValues, token: linkToken },
    labels: t.setUp.labels,
    action: setUp,
  })
  if (data !== undefined) return <SetUpResult secrets={data} zone={form.values.timezone} />
  return (
    <PublicLayout title={t.setUp.title}>
      <p>{t.setUp.lead}</p>
      {error !== null && form.action.error === null ? (
        <p className="problem" role="alert">
          {t.setUp.problems}
        </p>
      ) : (
        <FormError text={error?.message ?? null} />
      )}
      <form className={styles.setUp} noValidate onSubmit={form.onSubmit((values) => setUp.mutate(values))}>
        <SetUpFields form={form} asksForToken={linkToken === ''} />
        <Button type="submit" size="md" loading={setUp.isPending}>
          {t.setUp.submit}
        </Button>
      </form>
    </PublicLayout>
  )
}
