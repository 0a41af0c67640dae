// Actor: who did something, by name, with the e-mail as its tooltip.
import { parseActor } from '../api/actor.ts'
import { useTranslation } from '../i18n/translation.ts'

export function Actor({ actor }: { actor: string }) {
  const { format } = useTranslation()
  return <span title={parseActor(actor).email}>{format.actor(actor)}</span>
}
