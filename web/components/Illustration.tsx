// Illustration: a drawing for a screen that has nothing to show, in the colours of the theme.
import type { ReactNode } from 'react'

const subjects = {
  empty: (
    <>
      <path d="M50 50l30-13 30 13v32l-30 13-30-13z" />
      <path d="M50 50l30 13 30-13M80 63v32M65 43.5l30 13v10" fill="none" />
    </>
  ),
  done: (
    <>
      <circle cx="80" cy="64" r="27" fill="var(--accent)" />
      <path d="M67 65l9 9 17-18" fill="none" stroke="var(--on-accent)" strokeWidth="6" />
    </>
  ),
  search: (
    <>
      <circle cx="76" cy="58" r="21" />
      <path d="M92 74l17 18" strokeWidth="7" />
      <path d="M65 58a11 11 0 0 1 11-11" fill="none" />
    </>
  ),
  lock: (
    <>
      <path d="M67 60V48a13 13 0 0 1 26 0v12" fill="none" strokeWidth="5" />
      <rect x="56" y="58" width="48" height="36" rx="7" fill="var(--accent)" stroke="none" />
      <path d="M80 72v9" stroke="var(--on-accent)" strokeWidth="5" />
    </>
  ),
  failed: (
    <>
      <path d="M58 84a16 16 0 0 1-2-31.5 25 25 0 0 1 48-4A18 18 0 0 1 104 84z" />
      <path d="M82 54l-9 14h14l-9 14" fill="none" stroke="var(--below)" strokeWidth="4" />
    </>
  ),
  lost: (
    <>
      <circle cx="80" cy="62" r="28" />
      <path d="M92 50l-7 17-17 7 7-17z" fill="var(--sun)" />
    </>
  ),
} satisfies Record<string, ReactNode>

export type IllustrationName = keyof typeof subjects

/** The subject before mountains and a sun; hidden from screen readers, as the text says it. */
export function Illustration({ name }: { name: IllustrationName }) {
  return (
    <svg width="160" height="104" viewBox="0 0 160 104" aria-hidden="true">
      <circle cx="124" cy="30" r="15" fill="var(--sun)" />
      <path d="M2 98l38-52 22 26 30-44 62 70z" fill="var(--accent-soft)" />
      <g fill="var(--surface)" stroke="var(--accent)" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round">
        <path d="M2 98h156" />
        {subjects[name]}
      </g>
    </svg>
  )
}
