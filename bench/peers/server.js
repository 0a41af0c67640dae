// Starts the peer, and refuses to when its commits would be cheaper than ours: each must be on disk before it is answered.
const cds = require('@sap/cds')

cds.once('served', async () => {
  const [{ synchronous }] = await cds.db.run('SELECT synchronous FROM pragma_synchronous')
  if (synchronous !== 2) throw new Error(`synchronous is ${synchronous}, not 2 (FULL)`)
})
