/* folders.h - the folders above a file that is to be made. */
#ifndef FOLDERS_H
#define FOLDERS_H

/* Makes the folders that the path of a file names, as far as they are missing. What cannot be made
 * shows when the file is opened. */
void folders_make(const char *file);

#endif
