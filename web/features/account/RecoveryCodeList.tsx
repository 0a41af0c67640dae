// Recovery codes, shown once.
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyableText.tsx'
import { focusElement } from '../../components/focus-element.ts'
import { useAccountText } from '../../i18n/account.ts'
import styles from './FactorSetup.module.css'

export function RecoveryCodeList({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const { t } = useAccountText()
  return (
    <>
      <h3 tabIndex={-1} ref={focusElement}>
        {t.factor.codesTitle}
      </h3>
      <p>{t.factor.codesText}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className="actions">
        <CopyButton text={codes.join('\n')} />
        <Button isPrimary label={t.factor.codesSaved} onClick={onSaved} />
      </div>
    </>
  )
}
