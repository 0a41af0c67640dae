// useCompanySwitch: another company of the user, on the same screen.
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useSignInActions } from '../api/session.ts'
import { closePalette } from './palette-store.ts'

/** What the address names, as a filter or an open line, belongs to the company before. */
export function useCompanySwitch() {
  const router = useRouter()
  const { switchCompany } = useSignInActions()
  return useMutation({
    mutationFn: async (company: string) => {
      await router.navigate({ to: router.state.location.pathname, search: {}, replace: true })
      await switchCompany(company)
    },
    onSuccess: closePalette,
  })
}
