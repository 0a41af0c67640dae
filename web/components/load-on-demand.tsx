// Code that is fetched when it is first needed: a component, or another module.
import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorState } from './QueryStates.tsx'
import { checkConnection } from '../api/client.ts'

/** `fallback` is shown meanwhile. Without Suspense, which would show it for 300 ms although the code is there. */
export function loadOnDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): (props: Props) => ReactNode {
  const fetchCode = importCode(load)
  let loaded: ComponentType<Props> | undefined
  return (props) => {
    const [component, setComponent] = useState(() => loaded)
    const [error, setError] = useState<unknown>(null)
    const fetchAndShow = () => {
      setError(null)
      fetchCode().then((found) => setComponent(() => (loaded = found)), setError)
    }
    useEffect(fetchAndShow, [])
    if (error !== null) return <ErrorState error={error} onRetry={fetchAndShow} />
    return component === undefined ? fallback : createElement(component, props)
  }
}

/** Throws RequestError `Offline` when the server cannot be reached; otherwise the error of the import: the router then loads the page again. */
export function importCode<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load()
    } catch (error) {
      await checkConnection()
      throw error
    }
  }
}
