import childProcess from "node:child_process"
import { writeFileSync } from "node:fs"
import { registerHooks, syncBuiltinESMExports } from "node:module"

export interface RecordedStart {
  /** The URLs of loaded modules. */
  readonly modules: ReadonlyArray<string>
  /** The executed commands. */
  readonly processes: ReadonlyArray<string>
}

/**
 * Loaded before a program with `--import`. When the program ends, records the modules that it loaded and the processes
 * that it started.
 */
const file = process.env.RECORD_START

if (file !== undefined) {
  const modules: Array<string> = []
  const processes: Array<string> = []
  registerHooks({
    load: (url, context, nextLoad) => {
      modules.push(url)
      return nextLoad(url, context)
    }
  })
  for (const name of ["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"] as const) {
    const originalFunction = childProcess[name] as (...words: ReadonlyArray<unknown>) => unknown
    Object.assign(childProcess, {
      [name]: (...words: ReadonlyArray<unknown>) => {
        processes.push(String(words[0]))
        return originalFunction(...words)
      }
    })
  }
  syncBuiltinESMExports()
  process.on("exit", () => {
    const recordedStart: RecordedStart = { modules, processes }
    writeFileSync(file, JSON.stringify(recordedStart))
  })
}
