// A planted bug: a server that stops closes connections on which it owes an answer.
import { Server } from 'node:http'

Server.prototype.closeIdleConnections = function () {
  this.closeAllConnections()
}
