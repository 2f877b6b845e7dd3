/* text_shape.h - how a unit of the contracts that count texts is made up: a letter. */
#ifndef TEXT_SHAPE_H
#define TEXT_SHAPE_H

#define TEXT_SHAPE                                                                                 \
    {                                                                                              \
        1, 1, 1,                                                                                   \
        {                                                                                          \
            {                                                                                      \
                "letter", FIELD_LETTER, 0, 8                                                       \
            }                                                                                      \
        }                                                                                          \
    }

#endif
