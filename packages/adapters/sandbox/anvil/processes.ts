import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

const POLL_MS = 20

/** A process that is still running. */
export interface LiveProcess {
  /** The program and its arguments, separated by spaces. */
  readonly commandLine: string
  /** The start time in a platform-specific format. It distinguishes the process from a later one with the same id. */
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

/**
 * Parses a line of `ps` with the state, start time and command line of a process. Undefined for a zombie, and for an
 * empty line.
 */
export const processFromPs = (line: string): LiveProcess | undefined => {
  const [, startMark, commandLine] =
    /^(?!Z)\S+ +(\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}) +(.+)$/u.exec(line.trim()) ?? []
  return startMark === undefined || commandLine === undefined ? undefined : { commandLine, startMark }
}

// The second `w` prevents the truncation of long command lines on some systems. Each column has its own `-o`, because
// some systems read the text after `=` as one heading.
const PS_COLUMNS = ["-ww", "-o", "stat=", "-o", "lstart=", "-o", "command="]

export const processByPs = (pid: number): LiveProcess | undefined => {
  // Makes the start time independent of language and time zone. File names keep non-ASCII characters.
  const env = { PATH: process.env.PATH, LC_TIME: "C", LC_CTYPE: "UTF-8", TZ: "UTC0" }
  const { stdout } = spawnSync("ps", [...PS_COLUMNS, "-p", `${pid}`], { encoding: "utf8", env })
  return processFromPs(stdout ?? "")
}

/** Returns a running process. Undefined if it has ended, is a zombie, or is not visible to this user. */
export const processOrNone: (pid: number) => LiveProcess | undefined =
  process.platform === "linux" ? processInProc : processByPs

/** Ends a process that is not a child of this one: sends SIGTERM, and SIGKILL after `patienceMs`. */
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
