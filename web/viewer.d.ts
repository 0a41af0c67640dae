// URL of the API reference viewer, which the build copies (web/vite.config.ts).
declare module 'virtual:viewer' {
  const url: string
  export default url
}
