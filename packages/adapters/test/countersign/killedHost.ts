// Runs in a separate process: executes a signed operation, and kills itself immediately after the acceptance.
import { Countersign } from "@countersign/adapters"

const { body, options } = JSON.parse(process.argv[2]!)
const countersign = await Countersign.open(options)
await countersign.userOperations.execute(body)
process.kill(process.pid, "SIGKILL")
