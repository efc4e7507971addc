import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { clientTypes } from "./clientTypes.ts"

writeFileSync(join(import.meta.dirname, "../../src/client/openapi.ts"), await clientTypes())
