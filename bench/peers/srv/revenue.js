// The list upsert of the peer: one UPSERT statement over the whole list, the fastest way the framework has.
const cds = require('@sap/cds')

module.exports = class BenchService extends cds.ApplicationService {
  async init() {
    this.on('LagreListe', async ({ data }) => {
      await UPSERT.into('bench.Omsetning').entries(data.rader)
      return data.rader.length
    })
    await super.init()
  }
}
