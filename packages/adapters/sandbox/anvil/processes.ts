import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const POLL_MS = 20

/** A process that has not ended. */
export interface LiveProcess {
  /** Its program and arguments, with a space between them. */
  readonly commandLine: string
  /** When it started, in an opaque form that tells it from a later one with the same id. */
  readonly startMark: string
}

const START_TIME_FIELD = 19

export const processInProc = (pid: number): LiveProcess | undefined => {
  try {
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim()
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const startMark = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_TIME_FIELD]!
    return commandLine === "" ? undefined : { commandLine, startMark }
  } catch {
    return undefined
  }
}

/** A line of `ps` about one process: state, start, command line. One that waits to be collected has ended. */
export const processFromPs = (line: string): LiveProcess | undefined => {
  const [, startMark, commandLine] =
    /^(?!Z)\S+ +(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}) +(.+)$/u.exec(line.trim()) ?? []
  return startMark === undefined || commandLine === undefined ? undefined : { commandLine, startMark }
}

// Twice w, or a long command line is cut; an -o for each column, because some take what follows a = for one heading.
const PS_COLUMNS = ["-ww", "-o", "stat=", "-o", "lstart=", "-o", "command="]

export const processByPs = (pid: number): LiveProcess | undefined => {
  // The start reads the same in every language and time zone; file names keep their letters.
  const env = { PATH: process.env.PATH, LC_TIME: "C", LC_CTYPE: "UTF-8", TZ: "UTC0" }
  const { stdout } = spawnSync("ps", [...PS_COLUMNS, "-p", `${pid}`], { encoding: "utf8", env })
  return processFromPs(stdout ?? "")
}

/** Nothing for a process that has ended, waits to be collected, or is not ours to see. */
export const processOrNone: (pid: number) => LiveProcess | undefined =
  process.platform === "linux" ? processInProc : processByPs

/** Asks a process that is not our child to end, and insists after `patienceMs`. */
export const endProcess = async (pid: number, patienceMs: number): Promise<void> => {
  const deadline = Date.now() + patienceMs
  try {
    process.kill(pid, "SIGTERM")
    while (processOrNone(pid) !== undefined && Date.now() < deadline) await sleep(POLL_MS)
    if (processOrNone(pid) !== undefined) process.kill(pid, "SIGKILL")
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ESRCH") throw cause
  }
}
