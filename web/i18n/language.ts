// The languages that the app speaks.

export type Language = 'nb' | 'en'
