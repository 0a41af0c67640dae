// The parts of node:http that the server calls. An import statement would evaluate every export of that module, also
// the getter of WebSocket, which loads undici: 5 MB of an idle server.
export const { createServer, request, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
export type ServerResponse = InstanceType<typeof ServerResponse>
