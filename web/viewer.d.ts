// The address of the API reference's viewer, which the build copies (web/vite.config.ts).
declare module 'virtual:viewer' {
  const address: string
  export default address
}
