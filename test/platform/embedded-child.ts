// A process that runs an embedded database until it is killed: `node embedded-child.ts DATA_DIR`.
import { startEmbedded } from '../../src/database/embedded.ts'

const [dataDir = ''] = process.argv.slice(2)
const { url } = await startEmbedded({ dataDir, log: console.error })
console.log(url)
setInterval(() => {}, 1000)
