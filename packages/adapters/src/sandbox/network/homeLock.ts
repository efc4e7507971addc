import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PRIVATE_FILE_MODE } from "../../files/index.ts"
import { processOrNone } from "../anvil/processes.ts"
import { SandboxError } from "../SandboxError.ts"

interface Holder {
  readonly pid: number
  readonly startMark: string
}

const isAlive = ({ pid, startMark }: Holder): boolean => {
  const found = processOrNone(pid)
  return found !== undefined && found.startMark === startMark
}

const holderOrNone = (file: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder
  } catch {
    return undefined
  }
}

/**
 * Makes this process the only one that runs chains on `home`, until the returned function is called. Without it a second
 * process would take the first one's chains for orphans. A dead holder's lock is taken over.
 */
export const lockHome = (home: string): (() => void) => {
  const file = join(home, "sandbox.lock")
  const holder = holderOrNone(file)
  if (holder !== undefined && isAlive(holder)) {
    throw new SandboxError({
      message:
        `Another sandbox (process ${holder.pid}) runs on ${home}, and one folder holds one sandbox. ` +
        "Stop that process, or set COUNTERSIGN_HOME to another folder."
    })
  }
  rmSync(file, { force: true })
  const { pid } = process
  writeFileSync(file, JSON.stringify({ pid, startMark: processOrNone(pid)?.startMark }), {
    flag: "wx",
    mode: PRIVATE_FILE_MODE
  })
  return () => rmSync(file, { force: true })
}
