// The baseline: a bare node:http server that always returns the same 200 bytes of JSON.
import { createServer } from 'node:http'

const body = Buffer.from(`[{"fill":"${'x'.repeat(200 - 13)}"}]`)

createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  response.end(body)
}).listen(Number(process.env['PORT']), '127.0.0.1')
