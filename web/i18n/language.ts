// Languages of the app.

export type Language = 'nb' | 'en'
