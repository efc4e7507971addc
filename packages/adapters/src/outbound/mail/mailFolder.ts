import { join } from "node:path"

/** Returns the default folder for emails, which is used if there is no mail server. */
export const mailFolder = (home: string): string => join(home, "mail")
